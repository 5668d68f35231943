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
import { keptParts, keptRowChanges, temporaryId, type Parts } from './program-values.ts'
import {
  edited,
  isSameRows,
  moved,
  noRowChanges,
  withRowChanges,
  type Part,
  type RowChanges,
  type Step,
} from './row-changes.ts'

export type NewTool = z.output<typeof toolBody>
export type NewFact = z.output<typeof factBody>

/** The tools or the facts of the form with their actions. Additions and removals resolve to whether they succeeded. */
export type EditableRows<Fields> = {
  readonly rows: readonly Part<Fields>[]
  readonly add: (fields: Fields) => Promise<boolean>
  readonly remove: (id: string) => Promise<boolean>
  /** Edited and moved rows are kept until the whole program is saved. */
  readonly edit: (id: string, fields: Fields) => void
  readonly move: (id: string, by: Step) => void
}

/** The tools and facts of the form. Changes that only a save would send are kept on this device. */
export type EditableParts = {
  readonly tools: EditableRows<NewTool>
  readonly facts: EditableRows<NewFact>
  /** Whether there are such changes. */
  readonly isUnsaved: boolean
  readonly isRestored: boolean
  /** Called after the program was saved, or its changes were discarded. */
  readonly forget: () => void
}

/** What is kept of the tools and facts of a program, 'new' or its id. */
const useKeptParts = <Kept>(program: string, schema: z.ZodType<Kept>) => {
  const owner = useSession()?.user._id
  // The form of an ended session still belongs to its user.
  const [key] = useState(() => owner && draftKey(owner, `program:${program}:parts`))
  const [kept] = useState(() => key && readDraft(key, schema))
  const forget = () => {
    if (key) removeDraft(key)
  }
  return { key, kept, forget }
}

const noParts: Parts = { toolkit: [], facts: [] }

const useNewRows = <Fields>(first: readonly Part<Fields>[]): EditableRows<Fields> => {
  const [rows, setRows] = useState(first)
  return {
    rows,
    add: async (fields) => {
      setRows((known) => [...known, { ...fields, _id: temporaryId(Date.now(), known) }])
      return true
    },
    remove: async (id) => {
      setRows((known) => known.filter(({ _id }) => _id !== id))
      return true
    },
    edit: (id, fields) => setRows((known) => edited(known, id, fields)),
    move: (id, by) => setRows((known) => moved(known, id, by)),
  }
}

/** The tools and facts of a new program: local until the program is saved. A copy starts with those of its original. */
export const useNewParts = (program: string, initial: Parts = noParts): EditableParts => {
  const { key, kept, forget } = useKeptParts(program, keptParts)
  const tools = useNewRows<NewTool>((kept ?? initial).toolkit)
  const facts = useNewRows<NewFact>((kept ?? initial).facts)
  const [toolkit, factRows] = [tools.rows, facts.rows]
  const isUnsaved = !isSameRows(toolkit, initial.toolkit) || !isSameRows(factRows, initial.facts)
  useEffect(() => {
    if (key && isUnsaved) writeDraft(key, { toolkit, facts: factRows })
    else if (key) removeDraft(key)
  }, [key, isUnsaved, toolkit, factRows])
  return { tools, facts, isUnsaved, isRestored: kept !== undefined, forget }
}

type ResultTexts = { readonly done: string; readonly failed: string }
type RowTexts = { readonly added: ResultTexts; readonly removed: ResultTexts }

const toolTexts: RowTexts = {
  added: { done: 'Tool added successfully', failed: 'Failed to add tool' },
  removed: { done: 'Tool removed successfully', failed: 'Failed to remove tool' },
}
const factTexts: RowTexts = {
  added: { done: 'Fact added successfully', failed: 'Failed to add fact' },
  removed: { done: 'Fact removed successfully', failed: 'Failed to remove fact' },
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

type Request = Promise<Answer<{ readonly data: AnsweredParts }>>
type Change = (request: Request, texts: ResultTexts) => Promise<boolean>

type SavedRows<Fields> = {
  readonly saved: readonly Part<Fields>[]
  readonly kept: RowChanges<Fields> | undefined
  readonly texts: RowTexts
  readonly post: (fields: Fields, key: string) => Request
  readonly remove: (id: string) => Request
  readonly change: Change
}

/** Rows of the server with the user's changes. */
const useSavedRows = <Fields>({ saved, kept = noRowChanges, texts, post, remove, change }: SavedRows<Fields>) => {
  const [changes, setChanges] = useState(kept)
  /** After an addition has succeeded, the same body is a new addition. */
  const addition = useRef<KeyedRequest>(undefined)
  const rows = withRowChanges(saved, changes)
  const editable: EditableRows<Fields> = {
    rows,
    add: async (fields) => {
      addition.current = keyedRequest(addition.current, fields, randomKey)
      const isAdded = await change(post(fields, addition.current.key), texts.added)
      if (isAdded) addition.current = undefined
      return isAdded
    },
    remove: (id) => change(remove(id), texts.removed),
    edit: (id, fields) => setChanges((known) => ({ ...known, fields: new Map(known.fields).set(id, fields) })),
    move: (id, by) =>
      setChanges((known) => ({
        ...known,
        order: moved(withRowChanges(saved, known), id, by).map(({ _id }) => _id),
      })),
  }
  return { editable, changes, isChanged: !isSameRows(rows, saved) }
}

const storable = <Fields>({ order, fields }: RowChanges<Fields>) => ({ order, fields: [...fields] })

/**
 * The tools and facts of an existing program: each addition and removal is sent at once, and its response holds the result. The latest of
 * that response and of other admins' saves wins, because a save sends all tools and facts and must not undo what this form has
 * not seen.
 */
export const useSavedParts = (
  program: Program,
  showNotice: (notice: Notice | null) => void,
): EditableParts & Pick<SavedParts, 'revision'> => {
  const { key, kept, forget } = useKeptParts(program._id, keptRowChanges)
  const [known, setKnown] = useState(program)
  const [parts, setParts] = useState(() => partsOf(program))
  if (known !== program) {
    setKnown(program)
    setParts(partsOf(program))
  }

  const change: Change = async (request, { done, failed }) => {
    showNotice(null)
    const answer = await request
    if (answer.success) setParts((seen) => withAnswer(seen, answer.data.data))
    showNotice(answer.success ? { kind: 'done', text: done } : failureNotice(answer, failed))
    return answer.success
  }
  const tools = useSavedRows<NewTool>({
    saved: parts.toolkit,
    kept: kept?.tools,
    texts: toolTexts,
    post: (tool, idempotencyKey) => postTool(program._id, tool, idempotencyKey),
    remove: (id) => deleteTool(program._id, id),
    change,
  })
  const facts = useSavedRows<NewFact>({
    saved: parts.facts,
    kept: kept?.facts,
    texts: factTexts,
    post: (fact, idempotencyKey) => postFact(program._id, fact, idempotencyKey),
    remove: (id) => deleteFact(program._id, id),
    change,
  })

  const isUnsaved = tools.isChanged || facts.isChanged
  const [toolChanges, factChanges] = [tools.changes, facts.changes]
  useEffect(() => {
    if (key && isUnsaved) writeDraft(key, { tools: storable(toolChanges), facts: storable(factChanges) })
    else if (key) removeDraft(key)
  }, [key, isUnsaved, toolChanges, factChanges])

  return {
    tools: tools.editable,
    facts: facts.editable,
    revision: parts.revision,
    isUnsaved,
    isRestored: kept !== undefined,
    forget,
  }
}
