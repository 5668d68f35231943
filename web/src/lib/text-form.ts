import { useRef, useState, type FormEvent } from 'react'
import type { z } from 'zod'

type Input = HTMLInputElement | HTMLTextAreaElement

/**
 * A form with text fields only. It behaves like useValidatedForm: submitting validates it and focuses the first invalid field,
 * and editing a field clears its message. Use it on pages that must open fast, because react-hook-form would be a tenth of the
 * login page's script.
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
    // Reversed, because a map keeps the last entry of a key, and the field shows its first message.
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
