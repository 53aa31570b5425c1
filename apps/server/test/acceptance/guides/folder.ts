/** Where the guides lie. */
export const GUIDES_FOLDER = new URL('../../../../../docs/guides/', import.meta.url);
