import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'

type DocsPage = {
  readonly title: string
  /** SVG, for the head of the page and its tab. */
  readonly logo?: string | undefined
  readonly css?: string
  /** Runs in the page after Swagger UI has started. */
  readonly js?: string
}

/** Serves the document as a page at /docs and as JSON at /docs/json. */
export const serveDocs = async (app: FastifyInstance, { title, logo, css, js }: DocsPage): Promise<void> => {
  const type = 'image/svg+xml'
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    // The list of schemas and the highlighting take longest to render, and the examples show the same.
    uiConfig: {
      docExpansion: 'list',
      defaultModelsExpandDepth: -1,
      syntaxHighlight: { activate: false },
      filter: true,
    },
    ...(logo !== undefined && { logo: { type, content: logo, href: '/', target: '_self' } }),
    theme: {
      title,
      ...(css !== undefined && { css: [{ filename: 'theme.css', content: css }] }),
      ...(js !== undefined && { js: [{ filename: 'theme.js', content: js }] }),
      ...(logo !== undefined && {
        favicon: [{ filename: 'favicon.svg', rel: 'icon', type, sizes: 'any', content: logo }],
      }),
    },
  })
}
