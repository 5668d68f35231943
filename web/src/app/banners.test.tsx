import { cleanup, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { renderPages } from '../testing/render-pages.tsx'
import { insertAllStyles } from '../testing/styles.tsx'
import { ErrorBanner, SuccessBanner } from '../ui/banner.tsx'
import { light } from './theme/tokens.ts'

const groundOf = (role: string) => getComputedStyle(screen.getByRole(role)).backgroundColor

describe('a banner', () => {
  afterEach(cleanup)

  it('[U-16 U-17] is red for a failure', () => {
    insertAllStyles()
    renderPages({ '/': <ErrorBanner onClose={() => undefined}>Not saved</ErrorBanner> }, '/')
    expect(screen.getByText('Not saved')).toBeDefined()
    expect(groundOf('alert')).toBe(light.tones.red.background)
  })

  it('is green for a success', () => {
    insertAllStyles()
    renderPages({ '/': <SuccessBanner>Saved</SuccessBanner> }, '/')
    expect(screen.getByText('Saved')).toBeDefined()
    expect(groundOf('status')).toBe(light.tones.green.background)
  })
})
