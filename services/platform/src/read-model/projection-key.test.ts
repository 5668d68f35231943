import { expect, it } from 'vitest'
import { isFirstVersion, projectionKey, projectionNameOf } from './projection-key.ts'

it('is the bare name for the first version, and has a suffix for later ones', () => {
  expect(projectionKey({ name: 'inbox' })).toBe('inbox')
  expect(projectionKey({ name: 'inbox', version: 1 })).toBe('inbox')
  expect(projectionKey({ name: 'inbox', version: 12 })).toBe('inbox.v12')
})

it('is split into name and version again', () => {
  expect(['inbox', 'inbox.v2'].map(isFirstVersion)).toEqual([true, false])
  expect(['inbox', 'inbox.v12'].map(projectionNameOf)).toEqual(['inbox', 'inbox'])
})
