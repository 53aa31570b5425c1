/** The languages that examples are shown in: what of `examples/` does it, and how it is run. */
export type Language = 'shell' | 'node' | 'python' | 'php' | 'ruby' | 'go' | 'sdk';

export type Program = {
  /** The name to save it under. */
  file: string;
  /** Loads its text, which no page needs before it is shown. */
  load: () => Promise<{ default: string }>;
  /** Runs it from the folder that it was saved in. */
  run: string;
};

export type Purpose = 'send' | 'verify';

export const LANGUAGES: readonly { value: Language; label: string }[] = [
  { value: 'shell', label: 'Shell (curl and openssl)' },
  { value: 'node', label: 'Node' },
  { value: 'python', label: 'Python' },
  { value: 'php', label: 'PHP' },
  { value: 'ruby', label: 'Ruby' },
  { value: 'go', label: 'Go' },
  { value: 'sdk', label: 'TypeScript with the SDK' },
];

const SEND: Readonly<Record<Language, Program>> = {
  shell: {
    file: 'send-lead.sh',
    load: () => import('../../../../examples/shell/send-lead.sh?raw'),
    run: 'sh send-lead.sh',
  },
  node: {
    file: 'send-lead.mjs',
    load: () => import('../../../../examples/node/send-lead.mjs?raw'),
    run: 'node send-lead.mjs',
  },
  python: {
    file: 'send_lead.py',
    load: () => import('../../../../examples/python/send_lead.py?raw'),
    run: 'python3 send_lead.py',
  },
  php: {
    file: 'send-lead.php',
    load: () => import('../../../../examples/php/send-lead.php?raw'),
    run: 'php send-lead.php',
  },
  ruby: {
    file: 'send-lead.rb',
    load: () => import('../../../../examples/ruby/send-lead.rb?raw'),
    run: 'ruby send-lead.rb',
  },
  go: {
    file: 'send-lead.go',
    load: () => import('../../../../examples/go/send-lead/main.go?raw'),
    run: 'go run send-lead.go',
  },
  sdk: {
    file: 'send-lead.mts',
    load: () => import('../../../../examples/sdk/send-lead.mts?raw'),
    run: 'node send-lead.mts',
  },
};

const VERIFY: Readonly<Record<Language, Program>> = {
  shell: {
    file: 'verify-webhook.sh',
    load: () => import('../../../../examples/shell/verify-webhook.sh?raw'),
    run: "socat TCP-LISTEN:4000,bind=127.0.0.1,reuseaddr,fork EXEC:'sh verify-webhook.sh'",
  },
  node: {
    file: 'verify-webhook.mjs',
    load: () => import('../../../../examples/node/verify-webhook.mjs?raw'),
    run: 'node verify-webhook.mjs',
  },
  python: {
    file: 'verify_webhook.py',
    load: () => import('../../../../examples/python/verify_webhook.py?raw'),
    run: 'python3 verify_webhook.py',
  },
  php: {
    file: 'verify-webhook.php',
    load: () => import('../../../../examples/php/verify-webhook.php?raw'),
    run: 'php -S 127.0.0.1:4000 verify-webhook.php',
  },
  ruby: {
    file: 'verify-webhook.rb',
    load: () => import('../../../../examples/ruby/verify-webhook.rb?raw'),
    run: 'ruby verify-webhook.rb',
  },
  go: {
    file: 'verify-webhook.go',
    load: () => import('../../../../examples/go/verify-webhook/main.go?raw'),
    run: 'go run verify-webhook.go',
  },
  sdk: {
    file: 'verify-webhook.mts',
    load: () => import('../../../../examples/sdk/verify-webhook.mts?raw'),
    run: 'node verify-webhook.mts',
  },
};

export const PROGRAMS: Readonly<Record<Purpose, Readonly<Record<Language, Program>>>> = {
  send: SEND,
  verify: VERIFY,
};
