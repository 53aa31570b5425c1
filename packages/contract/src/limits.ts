/** Numbers that the contract promises. Sizes in bytes, lengths in Unicode code points, times in seconds. */
export const LIMITS = {
  bodyBytes: 256 * 1024,
  batchBodyBytes: 5 * 1024 * 1024,
  /** Any thousand rows fit. */
  reconcileBodyBytes: 2 * 1024 * 1024,
  batchLeads: 1000,
  customFieldsBytes: 64 * 1024,
  customFieldsDepth: 16,
  signatureWindowSeconds: 300,
  listMax: 100,
  listDefault: 25,
  legacyListDefault: 20,
  maxInt32: 2_147_483_647,
} as const;
