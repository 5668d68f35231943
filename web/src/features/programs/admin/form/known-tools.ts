import type { Program } from '@portal/contracts/catalog/program'
import { useRef, useState } from 'react'
import { normalizeText } from '@portal/contracts/shared/search-text'
import { matchesAllWords } from '../../../../lib/search-text.ts'
import { loadPrograms } from '../api.ts'
import type { NewTool } from './use-parts.ts'

/** More suggestions are not read: another letter narrows them down. */
const maxSuggestions = 50

/** The tools of all programs by name, each name with its newest logo. */
const toolsOf = (programs: readonly Program[]): readonly NewTool[] => {
  const tools = new Map<string, NewTool>()
  for (const { toolkit } of programs)
    for (const { name, logoUrl } of toolkit) tools.set(normalizeText(name), { name, logoUrl })
  return [...tools.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
}

/** Names that start with the query come first. */
export const findTools = (tools: readonly NewTool[], query: string): readonly NewTool[] => {
  const start = normalizeText(query).trim()
  const startsSo = ({ name }: NewTool): boolean => normalizeText(name).startsWith(start)
  return tools
    .filter(({ name }) => matchesAllWords(normalizeText(name), query))
    .toSorted((a, b) => Number(startsSo(b)) - Number(startsSo(a)))
    .slice(0, maxSuggestions)
}

export type KnownTools = { readonly tools: readonly NewTool[]; readonly load: () => void }

/** Loaded when a tool is first typed. Without them, tools are typed in full: a failure is not worth a message. */
export const useKnownTools = (): KnownTools => {
  const [tools, setTools] = useState<readonly NewTool[]>([])
  const isRequested = useRef(false)
  const load = async () => {
    if (isRequested.current) return
    isRequested.current = true
    const answer = await loadPrograms(new AbortController().signal)
    if (answer.success) setTools(toolsOf(answer.data))
    else isRequested.current = false
  }
  return { tools, load: () => void load() }
}
