import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { POST } from '../../../../../examples/receivers/next/app/api/leadwire/route.ts';

/** Stands in for Next: gives each request to the route as it would, with the request's own headers and bytes. */
createServer(async (request, response) => {
  const { status } = await POST(
    new Request('http://127.0.0.1/api/leadwire', {
      method: 'POST',
      headers: request.headers as Record<string, string>,
      body: new Uint8Array(await buffer(request)),
    }),
  );
  response.writeHead(status).end();
}).listen(Number(process.env.PORT), '127.0.0.1');
