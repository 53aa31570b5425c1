import manifest from '../package.json' with { type: 'json' };

/** The version of the product, which all its packages share: that of apps/server/package.json. */
export const VERSION: string = manifest.version;
