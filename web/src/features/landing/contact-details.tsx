import { contact } from './content.ts'

/** Whom to ask, and when they answer. */
export const ContactDetails = () => (
  <>
    <p>{contact.text}</p>
    <dl>
      <div>
        <dt>Email</dt>
        <dd>
          <a href={`mailto:${contact.email}`}>{contact.email}</a>
        </dd>
      </div>
      <div>
        <dt>Phone</dt>
        <dd>
          <a href={`tel:${contact.phone.dialled}`}>{contact.phone.shown}</a>
        </dd>
      </div>
      <div>
        <dt>Address</dt>
        <dd>
          <address>
            {contact.address.map((line) => (
              <div key={line}>{line}</div>
            ))}
          </address>
        </dd>
      </div>
    </dl>
  </>
)
