import { useApi } from '../../api/index.ts';

/** The campaigns of the account for a select, and what people know one by. */
export function useCampaigns(account: string) {
  const { data } = useApi('listCampaigns', { params: { account } });
  const options = (data?.campaigns ?? []).map(({ id, name }) => ({
    value: String(id),
    label: `${id} · ${name}`,
  }));
  const labelOf = (id: number): string =>
    options.find(({ value }) => value === String(id))?.label ?? String(id);
  return { options, labelOf };
}
