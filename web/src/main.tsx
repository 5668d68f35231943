import './lib/zod-jitless.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { registerWorker } from './app/register-worker.ts'
import './app/theme/fonts.css'
import { loadPart } from './lib/load-part.ts'
import { readStored, storageKeys } from './lib/storage.ts'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')

/** A log-out that did not reach the server is repeated at the next visit. */
const finishLogOut = async () => {
  if (readStored(storageKeys.logOutDue) === null) return
  const { repeatLogOut } = await loadPart(() => import('./lib/log-out.ts'))
  await repeatLogOut()
}

registerWorker()
void finishLogOut()

createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
