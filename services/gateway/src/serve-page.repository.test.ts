import { readFileSync } from 'node:fs'
import { publicPages } from '@portal/contracts/shared/page-paths'
import { expect, it } from 'vitest'
import { withPreview } from './serve-page.ts'

const html = readFileSync(new URL('../../../web/index.html', import.meta.url), 'utf8')

it("the client's page has every tag that a preview fills in, and the landing page's preview", () => {
  const preview = withPreview(html, { title: 'A title', description: 'A description' }, '/an/address')
  expect(preview.match(/A title/g)).toHaveLength(2)
  expect(preview.match(/A description/g)).toHaveLength(2)
  expect(preview.match(/"\/an\/address"/g)).toHaveLength(1)
  for (const text of Object.values(publicPages['/home'] ?? {})) expect(html).toContain(`content="${text}"`)
})
