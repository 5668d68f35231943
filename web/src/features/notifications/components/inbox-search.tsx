import { useSearchText } from '../../../lib/use-search-text.ts'
import { SearchField } from '../../../ui/search-field.tsx'

const Field = ({ isFocused }: { readonly isFocused: boolean }) => {
  const [text, type] = useSearchText()
  return <SearchField label="Search notifications" value={text} onChange={type} autoFocus={isFocused} />
}

type InboxSearchProps = { readonly isOpen: boolean; readonly isFocused: boolean }

/**
 * The search field of the inbox. It is also rendered while it is closed: then the press that opens it focuses it as well, and iOS shows
 * its keyboard only for a focus within the press.
 */
export const InboxSearch = ({ isOpen, isFocused }: InboxSearchProps) => isOpen && <Field isFocused={isFocused} />
