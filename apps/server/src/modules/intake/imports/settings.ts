import type { DashboardApi, ImportSettings } from '@leadwire/contract/dashboard';
import { type FieldError, invalid } from '../../../platform/errors/index.ts';
import { problemOf } from './columns.ts';
import { badSetting, missingSetting } from './errors.ts';

export type SettingsChange = DashboardApi['changeImport']['body'];

type Campaigns = { exists(accountId: string, id: number): true | Promise<boolean> };

/** @throws AppError 400 that names each setting that cannot be */
export async function checkChange(
  campaigns: Campaigns,
  accountId: string,
  change: SettingsChange,
  columns: string[],
): Promise<void> {
  const errors: FieldError[] = [];
  if (
    change.campaign_id !== undefined &&
    !(await campaigns.exists(accountId, change.campaign_id))
  ) {
    const message = 'campaign_id must be a campaign of this account';
    errors.push(badSetting('campaign_id', 'unknown_campaign', message));
  }
  if (change.columns) errors.push(...problemsOfColumns(change.columns, columns));
  if (errors.length > 0) throw invalid(errors);
}

/** What is wrong with where the columns of a file are to go. */
export function problemsOfColumns(targets: (string | null)[], columns: string[]): FieldError[] {
  if (targets.length !== columns.length) {
    const message = `columns must have ${columns.length} entries, one for each column of the file`;
    return [badSetting('columns', 'length', message)];
  }
  const errors: FieldError[] = [];
  const seen = new Map<string, number>();
  targets.forEach((target, index) => {
    if (target === null) return;
    const path = `columns.${index}`;
    const problem = problemOf(target);
    if (problem) errors.push(badSetting(path, 'format', `${path} ${problem}`));
    const before = seen.get(target);
    if (before !== undefined) {
      const message = `${path} goes to ${target}, as the column ${columns[before]} does: leave one of them out`;
      errors.push(badSetting(path, 'repeated', message));
    }
    seen.set(target, index);
  });
  return errors;
}

/** What must be known before the first row is read. @throws AppError 400 */
export async function checkComplete(
  campaigns: Campaigns,
  accountId: string,
  settings: ImportSettings,
): Promise<void> {
  const errors: FieldError[] = [];
  const { campaign_id: campaign, source, columns } = settings;
  if (campaign === null) {
    errors.push(missingSetting('campaign_id', 'campaign_id is required: choose a campaign'));
  } else if (!(await campaigns.exists(accountId, campaign))) {
    const message = 'campaign_id must be a campaign of this account';
    errors.push(badSetting('campaign_id', 'unknown_campaign', message));
  }
  if (source === null) {
    const message = 'source is required: name where the file comes from';
    errors.push(missingSetting('source', message));
  }
  if (!columns.includes('phone') && !columns.includes('email')) {
    const message = 'columns must hold phone or email: say which column it is';
    errors.push(missingSetting('columns', message));
  }
  if (errors.length > 0) throw invalid(errors);
}
