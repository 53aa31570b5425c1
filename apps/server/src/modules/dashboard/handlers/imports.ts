import type { ImportAnswers } from '@leadwire/contract/dashboard';
import { notFound } from '../../../platform/errors/index.ts';
import type { Imports } from '../../intake/index.ts';
import type { DashboardDownloadHandlers, DashboardHandlers, Person } from '../request.ts';
import { createPlaces } from './places.ts';

type Deps = { imports: Imports };
/** Each reads a whole file. */
const RESULTS_A_PERSON = 3;

type Asked = { accountId: string; params: { import: string } };

/** Files of leads, as people upload, map, check and run them. */
export function importHandlers({ imports }: Deps): DashboardHandlers<keyof ImportAnswers> {
  const keyOf = ({ accountId, params }: Asked) => imports.keyOf(accountId, params.import);
  return {
    listImports: async ({ accountId }) => ({ imports: await imports.list(accountId) }),
    createImport: async ({ accountId, person, body }) => {
      const file = { fileName: body.file_name, bytes: body.bytes };
      return imports.show(await imports.create(accountId, file, person.id));
    },
    uploadImportPart: async ({ body, ...request }) => {
      const part = readPartNumber(request.params.part);
      return imports.show(await imports.addPart(keyOf(request), part, body));
    },
    getImport: async (request) => imports.show(await imports.read(keyOf(request))),
    changeImport: async ({ body, ...request }) =>
      imports.show(await imports.change(keyOf(request), body)),
    previewImport: (request) => imports.preview(keyOf(request)),
    checkImport: async (request) => {
      const how = { state: 'checking', starter: starterOf(request.person) } as const;
      return imports.show(await imports.start(keyOf(request), how));
    },
    startImport: async (request) => {
      const how = { state: 'running', starter: starterOf(request.person) } as const;
      return imports.show(await imports.start(keyOf(request), how));
    },
    stopImport: async (request) => imports.show(await imports.stop(keyOf(request))),
    listBadRows: async ({ query, ...request }) => imports.badRows(keyOf(request), query.cursor),
  };
}

/** What became of each row of a file, as a file. */
export function importDownloads({
  imports,
}: Deps): Pick<DashboardDownloadHandlers, 'downloadImportResult'> {
  const take = createPlaces(RESULTS_A_PERSON);
  return {
    async downloadImportResult({ person, accountId, params, stillMay }) {
      const leave = take(person.id);
      try {
        const result = await imports.result(imports.keyOf(accountId, params.import), stillMay);
        result.stream.once('close', leave);
        return result;
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}

/** Who starts it, as the audit records of its leads name them. */
const starterOf = ({ id }: Person) => ({ actorType: 'user' as const, actorId: id });

/** @throws AppError 404 for what is no number of a part */
function readPartNumber(text: string): number {
  if (!/^(?:0|[1-9]\d{0,3})$/.test(text)) throw notFound();
  return Number(text);
}
