import type { Database } from '../../../platform/database/index.ts';

export type SealedWith = {
  /** As it stands in each box; see platform/crypto. */
  keyId: string;
  secrets: number;
};

/** Which encryption keys sealed the secrets of all keys and webhooks that may still be used, and how many each. */
export async function findSealedWith(database: Database, at: string): Promise<SealedWith[]> {
  return database.query<SealedWith>({
    text: `
      SELECT split_part(sealed, '.', 2) AS "keyId", count(*)::int AS secrets
      FROM (
        SELECT secret_encrypted AS sealed FROM api_keys
        WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1)
        UNION ALL
        SELECT secret_encrypted FROM webhooks WHERE deleted_at IS NULL
      ) in_use
      GROUP BY 1`,
    values: [at],
  });
}
