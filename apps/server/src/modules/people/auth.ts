import type { LibraryPool } from '../../platform/database/index.ts';
import { COOKIE_PREFIX } from './cookies.ts';
import type { SigningSecrets } from './keys.ts';
import type { PasswordHashes } from './password-hashes.ts';
import { PASSWORD_LENGTH } from './password-rules.ts';

export const SESSION_SECONDS = 30 * 24 * 60 * 60;
const RENEWED_AFTER_SECONDS = 24 * 60 * 60;
/** Set by us on what we pass on: a client's own forwarding headers say nothing. */
export const ADDRESS_HEADER = 'x-leadwire-client-address';

export type AuthDeps = {
  pool: LibraryPool;
  newId: () => string;
  secrets: SigningSecrets;
  hashes: PasswordHashes;
  publicUrl: string;
  log: { error(fields: object, message: string): void };
};

export type Auth = Awaited<ReturnType<typeof createAuth>>;

/**
 * better-auth over our store, under our names. Its HTTP handler is not mounted: our routes call its endpoints, so that every
 * request passes the same access check. It is loaded when it is first needed, which a command mostly never does.
 */
export async function createAuth(deps: AuthDeps) {
  const [{ betterAuth }, { twoFactor }] = await Promise.all([
    import('better-auth'),
    import('better-auth/plugins/two-factor'),
  ]);
  return betterAuth({
    appName: 'Leadwire',
    baseURL: deps.publicUrl,
    database: deps.pool as never,
    secrets: deps.secrets,
    telemetry: { enabled: false },
    // Ours count failures, by name too.
    rateLimit: { enabled: false },
    logger: {
      level: 'error',
      log: (_level, _message, error) =>
        deps.log.error({ err: error }, 'signing in met an unexpected failure'),
    },
    emailAndPassword: passwordOptions(deps),
    ...TABLES,
    plugins: [
      twoFactor({
        issuer: 'Leadwire',
        schema: {
          user: { fields: { twoFactorEnabled: 'second_factor' } },
          twoFactor: {
            modelName: 'user_second_factors',
            fields: {
              backupCodes: 'backup_codes',
              userId: 'user_id',
              failedVerificationCount: 'failed_tries',
              lockedUntil: 'locked_until',
            },
          },
        } as never,
      }),
    ],
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      // `Secure` is added where the answer goes out: only there it is known how the request came.
      useSecureCookies: false,
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { generateId: deps.newId, validateSchema: false },
    },
  });
}

const passwordOptions = ({ hashes }: AuthDeps) => ({
  enabled: true,
  // People come in by invitation alone.
  disableSignUp: true,
  minPasswordLength: PASSWORD_LENGTH.min,
  maxPasswordLength: PASSWORD_LENGTH.max,
  password: hashes,
  revokeSessionsOnPasswordReset: true,
});

const STAMPS = { createdAt: 'created_at', updatedAt: 'updated_at' };

const TABLES = {
  user: { modelName: 'users', fields: { emailVerified: 'email_verified', ...STAMPS } },
  session: {
    modelName: 'user_sessions',
    expiresIn: SESSION_SECONDS,
    updateAge: RENEWED_AFTER_SECONDS,
    fields: {
      userId: 'user_id',
      expiresAt: 'expires_at',
      ipAddress: 'address',
      userAgent: 'user_agent',
      ...STAMPS,
    },
  },
  account: {
    modelName: 'user_credentials',
    fields: {
      userId: 'user_id',
      providerId: 'provider',
      accountId: 'provider_user_id',
      password: 'password_hash',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
      ...STAMPS,
    },
  },
  verification: {
    modelName: 'user_verifications',
    storeIdentifier: 'hashed' as const,
    fields: { expiresAt: 'expires_at', ...STAMPS },
  },
};
