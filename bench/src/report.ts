import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { table } from './numbers.ts';

export type Target = {
  what: string;
  wanted: string;
  measured: string;
  met: boolean;
};

export type Section = { title: string; text: string };

/** What the numbers depend on, as lines of Markdown. `work` is the directory of the data. */
export async function describeMachine(databaseUrl: string, work: string): Promise<Section> {
  const cpus = os.cpus();
  const { version, settings } = await describePostgres(databaseUrl);
  const lines = [
    `- date: ${new Date().toISOString()}`,
    `- commit: ${commit()}`,
    `- node: ${process.version}`,
    `- PostgreSQL: ${version}, embedded; ${settings}`,
    `- machine: ${os.type()} ${os.release()}, ${cpus[0]?.model.trim()}, ${cpus.length} cores, ${Math.round(os.totalmem() / 2 ** 30)} GiB; data on ${fileSystem(work)}`,
    '- the load generator, the server and PostgreSQL share these cores',
    `- load average at the start: ${os.loadavg()[0]?.toFixed(2)}`,
  ];
  return { title: 'Machine', text: lines.join('\n') };
}

async function describePostgres(databaseUrl: string) {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; setting: string }>(
      `SELECT name, current_setting(name) AS setting FROM unnest(ARRAY['server_version', 'fsync',
        'synchronous_commit', 'full_page_writes', 'data_checksums', 'shared_buffers']) AS name`,
    );
    const of = new Map(rows.map((row) => [row.name, row.setting]));
    const version = of.get('server_version') ?? '?';
    of.delete('server_version');
    if (of.get('fsync') !== 'on' || of.get('synchronous_commit') !== 'on') {
      throw new Error('the PostgreSQL under test is not durable: its numbers would mean nothing');
    }
    return { version, settings: [...of].map(([name, value]) => `${name} ${value}`).join(', ') };
  } finally {
    await client.end();
  }
}

function commit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    const changes = git('status', '--porcelain') === '' ? '' : ', with changes not committed';
    return `${git('rev-parse', '--short=12', 'HEAD')}${changes}`;
  } catch {
    return 'none';
  }
}

function fileSystem(path: string): string {
  try {
    const lines = execFileSync('df', ['--output=fstype', path], { encoding: 'utf8' });
    return lines.trim().split('\n').at(-1) ?? 'an unknown file system';
  } catch {
    return 'an unknown file system';
  }
}

export function targetsSection(targets: Target[]): Section {
  const rows = targets.map((target) => [
    target.what,
    target.wanted,
    target.measured,
    target.met ? 'met' : 'MISSED',
  ]);
  return { title: 'Targets', text: table(['target', 'wanted', 'measured', ''], rows) };
}

export function render(sections: Section[]): string {
  return `${sections.map(({ title, text }) => `## ${title}\n\n${text}`).join('\n\n')}\n`;
}

/** Writes the report below bench/results and returns where. */
export async function keep(name: string, sections: Section[]): Promise<string> {
  const directory = fileURLToPath(new URL('../results/', import.meta.url));
  await mkdir(directory, { recursive: true });
  const file = `${directory}${new Date().toISOString().slice(0, 10)}-${name}.md`;
  await writeFile(file, `# Bench: ${name}\n\n${render(sections)}`);
  return file;
}
