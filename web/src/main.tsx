import './lib/without-eval.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { registerWorker } from './app/register-worker.ts'
import { reloadForRelease } from './app/reload-for-release.ts'
import './app/theme/fonts.css'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')

reloadForRelease()
registerWorker()

createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
