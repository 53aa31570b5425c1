import { Link } from '@tanstack/react-router';
import {
  Activity,
  BookOpen,
  FileInput,
  FileUp,
  KeyRound,
  Megaphone,
  ScanSearch,
  Settings,
  UserRoundPlus,
  Users,
  Webhook,
} from 'lucide-react';
import classes from './shell.module.css';

const GROUPS = [
  {
    label: 'Data',
    items: [
      { to: '/a/$account/overview', label: 'Overview', Icon: Activity },
      { to: '/a/$account/leads', label: 'Leads', Icon: Users },
      { to: '/a/$account/campaigns', label: 'Campaigns', Icon: Megaphone },
      { to: '/a/$account/forms', label: 'Forms', Icon: FileInput },
      { to: '/a/$account/imports', label: 'Imports', Icon: FileUp },
    ],
  },
  {
    label: 'Developers',
    items: [
      { to: '/a/$account/keys', label: 'API keys', Icon: KeyRound },
      { to: '/a/$account/webhooks', label: 'Webhooks', Icon: Webhook },
      { to: '/a/$account/signature-check', label: 'Signature check', Icon: ScanSearch },
      { to: '/a/$account/reference', label: 'API reference', Icon: BookOpen },
    ],
  },
  {
    label: 'Account',
    items: [
      { to: '/a/$account/members', label: 'Members', Icon: UserRoundPlus },
      { to: '/a/$account/settings', label: 'Settings', Icon: Settings },
    ],
  },
] as const;

export function Navigation({ account }: { account: string }) {
  return (
    <nav className={classes.nav} aria-label="Pages of the account">
      {GROUPS.map(({ label, items }) => (
        <div key={label} className={classes.group}>
          <p className={classes.label}>{label}</p>
          <ul>
            {items.map(({ to, label, Icon }) => (
              <li key={to}>
                <Link to={to} params={{ account }} className={classes.link}>
                  <Icon size={16} aria-hidden />
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
