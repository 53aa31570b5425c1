// Takes the lock of the data directory in argv and keeps it until it is killed or told to let go.
import { lockDataDirectory } from '../data-directory-lock.ts';

const lock = await lockDataDirectory(process.argv[2] ?? '');
process.stdout.write('held\n');
process.once('SIGTERM', () => void lock.release().then(() => process.exit()));
setInterval(() => {}, 60_000);
