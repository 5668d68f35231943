import { CacheProvider } from '@emotion/react'
import { styled } from '@mui/material/styles'
import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { insertAllStyles } from '../../testing/styles.tsx'
import { styleCache } from './style-cache.ts'

const Handle = styled('b')({ userSelect: 'none', display: 'flex', '@media print': { textSizeAdjust: '100%' } })

test('prefixes only what Safari needs, also within conditions', () => {
  insertAllStyles()
  render(
    <CacheProvider value={styleCache}>
      <Handle />
    </CacheProvider>,
  )
  const css = [...document.querySelectorAll('style')].map(({ textContent }) => textContent).join('')
  expect(css).toContain('{-webkit-user-select:none;user-select:none;display:flex;}')
  expect(css).toContain('{-webkit-text-size-adjust:100%;text-size-adjust:100%;}')
})
