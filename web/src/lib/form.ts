import { zodResolver } from '@hookform/resolvers/zod'
import { get, useForm, type DefaultValues, type FieldPath, type FieldValues } from 'react-hook-form'
import { z } from 'zod'

/**
 * A form with a schema. Submitting validates it and focuses the first invalid field. Editing a field clears its message.
 */
export const useValidatedForm = <Values extends FieldValues, Checked extends FieldValues>(
  schema: z.ZodType<Checked, Values>,
  defaultValues: DefaultValues<Values>,
) => {
  const form = useForm<Values, unknown, Checked>({
    resolver: zodResolver(schema),
    defaultValues,
    mode: 'onSubmit',
    reValidateMode: 'onSubmit',
  })
  const { errors } = form.formState

  // React Hook Form focuses the first invalid field in the order of registration.
  for (const name of Object.keys(defaultValues) as FieldPath<Values>[]) form.register(name)

  const errorOf = (name: FieldPath<Values>): string | undefined => {
    // A name may be a path, such as 'semesters.0.fee'.
    const message: unknown = get(errors, `${name}.message`)
    return typeof message === 'string' ? message : undefined
  }

  /**
   * Props of an uncontrolled field. `reshape` transforms the typed text. `clears` names other fields whose message depends on
   * this field.
   */
  const field = (
    name: FieldPath<Values>,
    { reshape, clears = [] }: { reshape?: (text: string) => string; clears?: FieldPath<Values>[] } = {},
  ) => {
    const { onChange, ...props } = form.register(name)
    return {
      ...props,
      onChange: (event: { target: { value: string } }) => {
        if (reshape) {
          const shaped = reshape(event.target.value)
          // Setting an unchanged value would move the caret to the end.
          if (shaped !== event.target.value) event.target.value = shaped
        }
        form.clearErrors([name, ...clears])
        void onChange(event)
      },
      error: errorOf(name),
    }
  }

  /** Shows the server's field errors and focuses the first of these fields. The name of one may be a path. */
  const showErrors = (given: Readonly<Record<string, string>> = {}) => {
    const wrong = Object.keys(defaultValues).flatMap((name) =>
      Object.keys(given).filter((path) => path === name || path.startsWith(`${name}.`)),
    ) as FieldPath<Values>[]
    for (const name of wrong.toReversed()) form.setError(name, { message: given[name] ?? '' }, { shouldFocus: true })
  }

  return { ...form, field, errorOf, showErrors }
}

/** Non-blank text. Blank text skips all further checks, so that each field shows one message at a time. */
export const requiredText = (label: string) =>
  z.string().refine((text) => text.trim() !== '', { error: `${label} is required`, abort: true })
