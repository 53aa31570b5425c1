import type { Campaign } from '@leadwire/contract/dashboard';
import { Button } from '@mantine/core';
import { Pause, Play } from 'lucide-react';
import { useChange } from '../../api/index.ts';
import { tellDone, tellError } from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import classes from './campaigns.module.css';

/** Starts a campaign, or pauses one that is active; either can be undone at once. */
export function StateButton({ campaign }: { campaign: Campaign }) {
  const account = useAccount();
  const isActive = campaign.state === 'active';
  const change = useChange('changeCampaign', {
    refreshes: ['listCampaigns'],
    onSuccess: () => tellDone(`${campaign.name} is ${isActive ? 'paused' : 'started'}`),
    onError: tellError,
  });
  const word = isActive ? 'Pause' : 'Start';
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`${word} ${campaign.name}`}
      loading={change.isPending}
      onClick={() =>
        change.mutate({
          params: { account: account.id, campaign: String(campaign.id) },
          body: { state: isActive ? 'paused' : 'active' },
        })
      }
    >
      {isActive ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
      <span className={classes.word}>{word}</span>
    </Button>
  );
}
