/** The entry: starts the worker and the page. */
import { App } from './app';
import { Client } from './client';
import { byId } from './dom';
import { startTheme } from './layout';

async function start(): Promise<void> {
  startTheme();
  const client = new Client();
  const dialects = await client.ask('dialects', {});
  const app = new App(client, dialects);
  await app.openFirst();
  document.documentElement.dataset.ready = 'true';
}

start().catch((error: unknown) => {
  const notice = byId('notice');
  notice.hidden = false;
  notice.textContent = `The page could not start: ${error instanceof Error ? error.message : String(error)}`;
});
