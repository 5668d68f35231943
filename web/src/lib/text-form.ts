import { useRef, useState, type FormEvent } from 'react'
import type { z } from 'zod'

type Input = HTMLInputElement | HTMLTextAreaElement

/**
 * A form of text fields alone, held to a schema. To whoever fills it in, it is the same as useCheckedForm: checked when it is
 * submitted, the first wrong field gets the focus, a field loses its message as soon as it is edited. For pages that must
 * open fast: react-hook-form would be a tenth of all the script that the log-in page loads.
 */
export const useTextForm = <Values extends Record<string, string>, Checked>(
  schema: z.ZodType<Checked, Values>,
  defaultValues: Values,
) => {
  type Name = keyof Values & string
  const names: readonly Name[] = Object.keys(defaultValues)
  const inputs = useRef(new Map<string, Input>())
  const [errors, setErrors] = useState<ReadonlyMap<PropertyKey, string>>(new Map())

  const setFocus = (name: Name, { shouldSelect = false } = {}) => {
    const input = inputs.current.get(name)
    input?.focus()
    if (shouldSelect) input?.select()
  }

  const handleSubmit = (onChecked: (checked: Checked) => Promise<void>) => (event: FormEvent) => {
    event.preventDefault()
    const checked = schema.safeParse(Object.fromEntries(names.map((name) => [name, inputs.current.get(name)?.value])))
    if (checked.success) {
      setErrors(new Map())
      void onChecked(checked.data)
      return
    }
    // The first of a field's messages: a map keeps the last of what it is given.
    const found = new Map(checked.error.issues.toReversed().map(({ path, message }) => [path[0] ?? '', message]))
    setErrors(found)
    const firstWrong = names.find((name) => found.has(name))
    if (firstWrong !== undefined) setFocus(firstWrong)
  }

  /** Props of an uncontrolled field. */
  const field = (name: Name) => ({
    name,
    defaultValue: defaultValues[name],
    inputRef: (input: Input | null) => {
      if (input) inputs.current.set(name, input)
      else inputs.current.delete(name)
    },
    onChange: () => setErrors((shown) => new Map([...shown].filter(([wrong]) => wrong !== name))),
    error: errors.get(name),
  })

  return { field, handleSubmit, setFocus }
}
