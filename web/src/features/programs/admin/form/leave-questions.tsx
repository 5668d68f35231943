import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx'

type Asked = { readonly open: boolean; readonly onConfirm: () => void; readonly onCancel: () => void }

export const LeaveQuestion = (asked: Asked) => (
  <ConfirmDialog
    question="Leave without saving?"
    consequence="What you have changed here will be lost."
    cancelText="Stay"
    confirmText="Leave"
    destructive
    {...asked}
  />
)

type LeaveBehindProps = Asked & { readonly typed: readonly string[] }

/** A save takes along what was added, and leads away from what was only typed. */
export const LeaveBehindQuestion = ({ typed, ...asked }: LeaveBehindProps) => (
  <ConfirmDialog
    question={`Save without the ${typed.join(' and the ')} that you have typed?`}
    consequence="Only what has been added is saved with the program. What is still in those fields will be lost."
    cancelText="Go back"
    confirmText="Save without"
    destructive
    {...asked}
  />
)
