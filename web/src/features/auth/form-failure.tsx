import FormHelperText from '@mui/material/FormHelperText'
import { useState } from 'react'
import { useToast } from '../../ui/toast/atoms.ts'

/**
 * Why the last request of a form failed: in a toast, which screen readers announce, and at the form until it is edited. A newer
 * toast with the same subject replaces the older one.
 */
export const useFormFailure = (subject: string) => {
  const toast = useToast()
  const [message, setMessage] = useState<string>()
  return {
    message,
    show: (text: string) => {
      setMessage(text)
      toast.error(text, { subject })
    },
    /** Before the next request. */
    clear: () => {
      setMessage(undefined)
      toast.dismiss(subject)
    },
    /** The toast may stay. */
    onEdit: () => setMessage(undefined),
  }
}

type FormFailureProps = { readonly id?: string; readonly message: string | undefined }

/** The message of a failed request, above the buttons of a form. */
export const FormFailure = ({ id, message }: FormFailureProps) =>
  message === undefined ? null : (
    <FormHelperText {...(id !== undefined && { id })} error>
      {message}
    </FormHelperText>
  )
