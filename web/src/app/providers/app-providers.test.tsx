import { useColorScheme } from '@mui/material/styles'
import { scriptedStyles } from '@portal/contracts/shared/scripted-styles'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { AppProviders } from './app-providers.tsx'

const Switch = () => {
  const { setMode } = useColorScheme()
  return <button onClick={() => setMode('dark')}>Dark</button>
}

test('a change of the color scheme adds only a style element that the content security policy allows', () => {
  render(
    <AppProviders>
      <Switch />
    </AppProviders>,
  )
  const changes = new MutationObserver(() => undefined)
  changes.observe(document.head, { childList: true })
  fireEvent.click(screen.getByRole('button', { name: 'Dark' }))
  const added = changes.takeRecords().flatMap(({ addedNodes }) => [...addedNodes].map((node) => node.textContent))
  expect(added).toContain(scriptedStyles.transitionsOff)
})
