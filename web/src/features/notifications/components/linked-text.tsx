import Link from '@mui/material/Link'
import { linkify } from './linkify.ts'

/** A text with its addresses as links. They get nothing of this page: neither its address nor a handle to it. */
export const LinkedText = ({ text }: { text: string }) => {
  const parts = linkify(text)
  if (parts.every(({ kind }) => kind === 'text')) return text
  return (
    <>
      {parts.map((part, index) =>
        part.kind === 'text' ? (
          <span key={index}>{part.text}</span>
        ) : (
          <Link
            // The parts of a text never change their order.
            key={`${index} ${part.href}`}
            href={part.href}
            rel="noopener nofollow noreferrer"
            {...(part.href.startsWith('http') && { target: '_blank' })}
            // A number that breaks at one of its spaces is hard to read out.
            {...(part.href.startsWith('tel:') && { sx: { whiteSpace: 'nowrap' } })}
          >
            {part.text}
          </Link>
        ),
      )}
    </>
  )
}
