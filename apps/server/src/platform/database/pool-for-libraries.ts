import pg from 'pg';

/** A pool in the form that Kysely takes (its interface PostgresPool). */
export type LibraryPool = {
  connect(): Promise<LibraryConnection>;
  end(): Promise<void>;
};

type LibraryConnection = {
  query(text: unknown, values?: readonly unknown[]): Promise<pg.QueryResult>;
  release(): void;
};

/**
 * Lends connections to a library that speaks SQL itself: it gets times and json parsed, as node-postgres does by default.
 * @param guarded gives failures of the store their name
 */
export function poolForLibraries(
  pool: pg.Pool,
  guarded: <T>(attempt: () => Promise<T>) => Promise<T>,
): LibraryPool {
  return {
    async connect() {
      const client = await guarded(() => pool.connect());
      return {
        query: (text, values) =>
          guarded(() =>
            client.query({
              text: text as string,
              values: [...(values ?? [])],
              types: { getTypeParser: pg.types.getTypeParser },
            } as pg.QueryConfig),
          ),
        release: () => client.release(),
      };
    },
    // Ours to end.
    end: async () => undefined,
  };
}
