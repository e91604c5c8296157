/** The ways in which documents come and go: files, drops, links and the address of the page. */
import { byId, element, formatted } from './dom';
import type { Settings, Source } from './protocol';
import { fromFragment, MAX_LINK_CHARACTERS, toFragment } from './share';

/** A document with its settings; `null` keeps the current settings. */
interface Opened {
  source: Source;
  settings: Settings | null;
}

interface IntakeHandlers {
  open(source: Source, settings: Settings | null): void;
  current(): { source: Source; settings: Settings };
  notify(text: string): void;
}

const MAX_FILE_BYTES = 64 * 1024 * 1024;

const EXTENSIONS: Record<string, string> = {
  html: 'html',
  htm: 'html',
  xml: 'xml',
  xhtml: 'xml',
  svg: 'xml',
  atom: 'xml',
  rss: 'xml',
  microxml: 'microxml',
  sky: 'sky',
  leafxml: 'leafxml',
};

export class Intake {
  #handlers: IntakeHandlers;

  constructor(handlers: IntakeHandlers) {
    this.#handlers = handlers;
    this.#startFiles();
    this.#startDrops();
    byId('share-button').addEventListener('click', () => void this.#share());
    addEventListener('hashchange', async () => {
      const opened = await this.#fromLink();
      if (opened) handlers.open(opened.source, opened.settings);
    });
  }

  /** Returns the document that the address of the page names, or null. */
  async fromAddress(): Promise<Opened | null> {
    const query = new URLSearchParams(location.search);
    const file = query.get('file');
    if (file === null) return this.#fromLink();
    const address = URL.canParse(file, location.href) ? new URL(file, location.href) : null;
    // The policy of the page refuses other addresses too; this message is clearer.
    if (address?.origin !== location.origin) {
      this.#handlers.notify('The page opens files of its own server only.');
      return null;
    }
    try {
      const response = await fetch(address);
      if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
      const bytes = new Uint8Array(await response.arrayBuffer());
      return { source: { bytes }, settings: this.#settingsFor(query.get('name') ?? file, query.get('dialect')) };
    } catch (error) {
      this.#handlers.notify(`The file cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    }
  }

  async #fromLink(): Promise<Opened | null> {
    try {
      return await fromFragment(location.hash);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#handlers.notify(`This link cannot be opened: ${reason}. It may have been cut.`);
      return null;
    }
  }

  /** Returns settings for a file: the dialect of its extension, and the current encoding of the transport. */
  #settingsFor(name: string, asked: string | null = null): Settings | null {
    const { settings } = this.#handlers.current();
    const extension = name.toLowerCase().split('.').pop() ?? '';
    const dialect = asked ?? EXTENSIONS[extension] ?? settings.dialect;
    return dialect === settings.dialect ? null : { ...settings, dialect, options: {} };
  }

  async #openFile(file: File): Promise<void> {
    if (file.size > MAX_FILE_BYTES) {
      this.#handlers.notify(`The file has ${formatted(file.size)} bytes; the page opens files up to ${formatted(MAX_FILE_BYTES)} bytes.`);
      return;
    }
    const bytes = new Uint8Array(await file.arrayBuffer());
    this.#handlers.open({ bytes }, this.#settingsFor(file.name));
  }

  #startFiles(): void {
    const input = byId<HTMLInputElement>('file');
    byId('open-button').addEventListener('click', () => input.click());
    input.addEventListener('change', () => {
      const file = input.files?.[0];
      if (file) void this.#openFile(file);
      input.value = '';
    });
  }

  #startDrops(): void {
    const hint = byId('drop');
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    // The listeners run before those of the editor, which would insert the text of the file.
    const listen = (name: 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent) => void) =>
      addEventListener(name, (event) => hasFiles(event) && act(event), { capture: true });
    listen('dragover', (event) => {
      event.preventDefault();
      event.stopPropagation();
      hint.hidden = false;
    });
    listen('dragleave', (event) => {
      if (event.relatedTarget === null) hint.hidden = true;
    });
    listen('drop', (event) => {
      event.preventDefault();
      event.stopPropagation();
      hint.hidden = true;
      const file = event.dataTransfer?.files[0];
      if (file) void this.#openFile(file);
    });
  }

  async #share(): Promise<void> {
    const panel = byId('share');
    if (!panel.hidden) {
      panel.hidden = true;
      return;
    }
    const { source, settings } = this.#handlers.current();
    const fragment = await toFragment(source, settings);
    panel.hidden = false;
    if (fragment.length > MAX_LINK_CHARACTERS) {
      const text = `The document is too long for a link: it would have ${formatted(fragment.length)} characters, and links with more than ${formatted(MAX_LINK_CHARACTERS)} are often cut.`;
      panel.replaceChildren(element('p', { id: 'share-note' }, text));
      return;
    }
    const link = new URL(fragment, location.href.replace(/[?#].*$/, ''));
    history.replaceState(null, '', link);
    const input = element('input', { type: 'text', id: 'share-link', class: 'wide', readonly: true, 'aria-label': 'Link to this document' });
    input.value = link.href;
    const copy = element('button', { type: 'button', class: 'primary' }, 'Copy link');
    copy.addEventListener('click', async () => {
      input.select();
      await navigator.clipboard?.writeText(input.value).catch(() => {});
      copy.textContent = 'Copied';
    });
    const note = `${formatted(link.href.length)} characters. The link holds the document and its settings; nothing is sent to a server.`;
    panel.replaceChildren(input, copy, element('p', { class: 'info', id: 'share-note' }, note));
    input.focus();
    input.select();
  }
}
