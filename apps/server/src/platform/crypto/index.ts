export { createSecretBox, keyIdOf, type SecretBox } from './secret-box.ts';
export { createToken, isWellFormedToken } from './tokens.ts';
