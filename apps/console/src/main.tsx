import './app/old-browsers.ts'
import './app/no-eval.ts'
import { createRoot } from 'react-dom/client'
import './app/theme.css'
import './app/shell.css'
import { App } from './app/app.tsx'
import { endStored } from './app/guard/end-stored.ts'
import { DocumentTitle } from './app/layout/document-title.tsx'
import { loadTexts } from './app/locales.ts'
import { collectParts } from './app/parts.ts'
import { startI18n } from './shared/i18n/i18n.ts'
import { loadConsoleSettings } from './shared/installation/console-settings.ts'

/**
 * Shows the console once the texts of its language are loaded. The file does not wait for them at its top level: the
 * file of the texts may share code with this one, so each would wait for the other and nothing would appear.
 */
async function start(root: HTMLElement): Promise<void> {
  await startI18n(loadTexts)
  collectParts()
  void loadConsoleSettings()
  void endStored()
  createRoot(root).render(
    <>
      <DocumentTitle />
      <App />
    </>,
  )
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
void start(root)
