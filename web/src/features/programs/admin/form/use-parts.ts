import { revisionOf, type factBody, type Program, type toolBody } from '@portal/contracts/catalog/program'
import { useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import { draftKey, readDraft, removeDraft, writeDraft } from '../../../../lib/drafts.ts'
import { keyedRequest, type KeyedRequest } from '../../../../lib/idempotency-key.ts'
import { randomKey } from '../../../../lib/random-hex.ts'
import type { Answer } from '../../../../lib/http.ts'
import { useSession } from '../../../../lib/session.ts'
import { deleteFact, deleteTool, postFact, postTool } from '../api.ts'
import { failureNotice, type Notice } from './form-footer.tsx'
import { keptParts, temporaryId, type FactPart, type Parts, type ToolPart } from './program-values.ts'
import { edited, isSameRows, moved, noRowChanges, withRowChanges, type RowChanges, type Step } from './row-changes.ts'

export type NewTool = z.output<typeof toolBody>
export type NewFact = z.output<typeof factBody>

/** The tools and facts of the form with their actions, which resolve to whether they succeeded. */
export type EditableParts = Parts & {
  readonly addTool: (tool: NewTool) => Promise<boolean>
  readonly removeTool: (id: string) => Promise<boolean>
  readonly addFact: (fact: NewFact) => Promise<boolean>
  readonly removeFact: (id: string) => Promise<boolean>
  /** Edited and moved rows are kept until the whole program is saved. */
  readonly editTool: (id: string, tool: NewTool) => void
  readonly moveTool: (id: string, by: Step) => void
  readonly editFact: (id: string, fact: NewFact) => void
  readonly moveFact: (id: string, by: Step) => void
  /** Whether there are tools or facts that only a save would keep. */
  readonly isUnsaved: boolean
  /** After the program was saved, or its changes discarded. */
  readonly forget: () => void
}

const noParts: Parts = { toolkit: [], facts: [] }

/**
 * The tools and facts of a new program: local state, kept on this device until the program is saved. A copy starts with those
 * of its original.
 */
export const useNewParts = (program: string, initial: Parts = noParts): EditableParts => {
  const owner = useSession()?.user._id
  const [key] = useState(() => owner && draftKey(owner, `program:${program}:parts`))
  const [first] = useState(() => (key && readDraft(key, keptParts)) ?? initial)
  const [toolkit, setToolkit] = useState(first.toolkit)
  const [facts, setFacts] = useState(first.facts)
  const isUnsaved = !isSameRows(toolkit, initial.toolkit) || !isSameRows(facts, initial.facts)
  useEffect(() => {
    if (key && isUnsaved) writeDraft(key, { toolkit, facts })
    else if (key) removeDraft(key)
  }, [key, isUnsaved, toolkit, facts])
  return {
    toolkit,
    facts,
    isUnsaved,
    forget: () => {
      if (key) removeDraft(key)
    },
    addTool: async (tool) => {
      setToolkit((known) => [...known, { ...tool, _id: temporaryId(Date.now(), known) }])
      return true
    },
    removeTool: async (id) => {
      setToolkit((known) => known.filter(({ _id }) => _id !== id))
      return true
    },
    addFact: async (fact) => {
      setFacts((known) => [...known, { ...fact, _id: temporaryId(Date.now(), known) }])
      return true
    },
    removeFact: async (id) => {
      setFacts((known) => known.filter(({ _id }) => _id !== id))
      return true
    },
    editTool: (id, tool) => setToolkit((known) => edited(known, id, tool)),
    moveTool: (id, by) => setToolkit((known) => moved(known, id, by)),
    editFact: (id, fact) => setFacts((known) => edited(known, id, fact)),
    moveFact: (id, by) => setFacts((known) => moved(known, id, by)),
  }
}

type ResultTexts = { readonly done: string; readonly failed: string }

const resultTexts = {
  addTool: { done: 'Tool added successfully', failed: 'Failed to add tool' },
  removeTool: { done: 'Tool removed successfully', failed: 'Failed to remove tool' },
  addFact: { done: 'Fact added successfully', failed: 'Failed to add fact' },
  removeFact: { done: 'Fact removed successfully', failed: 'Failed to remove fact' },
} as const satisfies Record<string, ResultTexts>

/** The idempotency key of an addition. After it has succeeded, the same body is a new addition. */
const useAdditionKey = () => {
  const attempt = useRef<KeyedRequest>(undefined)
  return {
    keyOf: (body: unknown): string => (attempt.current = keyedRequest(attempt.current, body, randomKey)).key,
    done: () => {
      attempt.current = undefined
    },
  }
}

type SavedParts = Parts & {
  /** The last revision of the program up to which this form has seen every change. */
  readonly revision: number
}

const partsOf = (program: Program): SavedParts => ({
  toolkit: program.toolkit,
  facts: program.facts,
  revision: revisionOf(program),
})

type AnsweredParts = Partial<Parts> & Pick<Program, 'revision'>

/** A response holds only the tools and facts: if another admin saved in between, this form has not seen their change. */
const withAnswer = (seen: SavedParts, { revision = 0, ...parts }: AnsweredParts): SavedParts => ({
  ...seen,
  ...parts,
  revision: revision === seen.revision + 1 ? revision : seen.revision,
})

/** Rows of the server with the user's changes. */
const useChangedRows = <T extends { readonly _id: string }>(rows: readonly T[]) => {
  const [changes, setChanges] = useState<RowChanges<T>>(noRowChanges)
  return {
    rows: withRowChanges(rows, changes),
    edit: (id: string, fields: Omit<T, '_id'>) =>
      setChanges(({ order, fields: known }) => ({ order, fields: new Map(known).set(id, fields) })),
    move: (id: string, by: Step) =>
      setChanges((known) => ({
        ...known,
        order: moved(withRowChanges(rows, known), id, by).map(({ _id }) => _id),
      })),
  }
}

/**
 * The tools and facts of an existing program: each addition and removal is sent at once, and its response holds the result. The latest of
 * that response and of other admins' saves wins, because a save sends all tools and facts and must not undo what this form has
 * not seen.
 */
export const useSavedParts = (
  program: Program,
  showNotice: (notice: Notice | null) => void,
): EditableParts & Pick<SavedParts, 'revision'> => {
  const [known, setKnown] = useState(program)
  const [parts, setParts] = useState(() => partsOf(program))
  if (known !== program) {
    setKnown(program)
    setParts(partsOf(program))
  }

  const change = async (request: Promise<Answer<{ data: AnsweredParts }>>, { done, failed }: ResultTexts) => {
    showNotice(null)
    const answer = await request
    if (answer.success) setParts((seen) => withAnswer(seen, answer.data.data))
    showNotice(answer.success ? { kind: 'done', text: done } : failureNotice(answer, failed))
    return answer.success
  }
  const [toolKey, factKey] = [useAdditionKey(), useAdditionKey()]
  const tools = useChangedRows<ToolPart>(parts.toolkit)
  const facts = useChangedRows<FactPart>(parts.facts)

  return {
    revision: parts.revision,
    toolkit: tools.rows,
    facts: facts.rows,
    isUnsaved: !isSameRows(tools.rows, parts.toolkit) || !isSameRows(facts.rows, parts.facts),
    forget: () => undefined,
    editTool: tools.edit,
    moveTool: tools.move,
    editFact: facts.edit,
    moveFact: facts.move,
    addTool: async (tool) => {
      const isAdded = await change(postTool(program._id, tool, toolKey.keyOf(tool)), resultTexts.addTool)
      if (isAdded) toolKey.done()
      return isAdded
    },
    removeTool: (id) => change(deleteTool(program._id, id), resultTexts.removeTool),
    addFact: async (fact) => {
      const isAdded = await change(postFact(program._id, fact, factKey.keyOf(fact)), resultTexts.addFact)
      if (isAdded) factKey.done()
      return isAdded
    },
    removeFact: (id) => change(deleteFact(program._id, id), resultTexts.removeFact),
  }
}
