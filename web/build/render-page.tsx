import { StrictMode, type ReactNode } from 'react'
import { prerender } from 'react-dom/static'
import { StaticRouter } from 'react-router-dom'
import { App } from '../src/app/app.tsx'
import { styleCache } from '../src/app/providers/style-cache.ts'

/** Emotion then collects the styles instead of rendering them between the elements. */
styleCache.compat = true

/** What a visitor sees at `path`, with the styles of Emotion's cache: src/main.tsx hydrates the one and takes over the other. */
export const renderPage = async (path: string) => {
  styleCache.inserted = {}
  styleCache.registered = {}
  const Router = ({ children }: { readonly children: ReactNode }) => (
    <StaticRouter location={path}>{children}</StaticRouter>
  )
  const { prelude } = await prerender(
    <StrictMode>
      <App Router={Router} />
    </StrictMode>,
    // React would move large parts to the end, and insert them by a script.
    { progressiveChunkSize: Number.MAX_SAFE_INTEGER },
  )
  const html = await new Response(prelude).text()
  const titleEnd = html.lastIndexOf('</title>')
  const { key, inserted } = styleCache
  return {
    // The gateway writes the title into the head.
    html: titleEnd === -1 ? html : html.slice(titleEnd + '</title>'.length),
    style: `<style data-emotion="${[key, ...Object.keys(inserted)].join(' ')}">${Object.values(inserted).join('')}</style>`,
  }
}
