import { describe, expect, it } from 'vitest'
import { findTools } from './known-tools.ts'

const tools = ['Jupyter', 'NumPy', 'Python', 'PyTorch'].map((name) => ({ name, logoUrl: '/logo.svg' }))
const found = (query: string) => findTools(tools, query).map(({ name }) => name)

describe('the suggestions for the name of a tool', () => {
  it('start with the names that start with the query, and are all tools without one', () => {
    expect(found('py')).toEqual(['Python', 'PyTorch', 'Jupyter', 'NumPy'])
    expect(found('pyt')).toEqual(['Python', 'PyTorch', 'Jupyter'])
    expect(found('')).toEqual(['Jupyter', 'NumPy', 'Python', 'PyTorch'])
    expect(found('zz')).toEqual([])
  })
})
