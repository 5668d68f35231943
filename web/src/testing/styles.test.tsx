import Box from '@mui/material/Box'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { renderPages } from './render-pages.tsx'
import { insertAllStyles } from './styles.tsx'
import { desktopPx, phonePx, setWindowWidth } from './window-width.ts'

afterEach(() => {
  cleanup()
  setWindowWidth(desktopPx)
})

const page = (
  <>
    <Box component="button" sx={{ display: { xs: 'block', md: 'none' } }}>
      Phone
    </Box>
    <Box component="button" sx={{ display: { xs: 'none', md: 'block' } }}>
      Desktop
    </Box>
    <Box component="button" sx={{ visibility: 'hidden', opacity: 0.5 }}>
      Hidden
    </Box>
  </>
)
const shown = () => screen.getAllByRole('button').map(({ textContent }) => textContent)

test.each([
  [phonePx, ['Phone']],
  [desktopPx, ['Desktop']],
])('a page %d px wide hides by role what its styles hide', (widthPx, expected) => {
  setWindowWidth(widthPx)
  renderPages({ '/': page }, '/')
  expect(shown()).toEqual(expected)
})

test('a page has all styles on request', () => {
  const opacity = () => getComputedStyle(screen.getByText('Hidden')).opacity
  insertAllStyles()
  renderPages({ '/': page }, '/')
  expect(opacity()).toBe('0.5')
  expect(shown()).toEqual(['Desktop'])
})
