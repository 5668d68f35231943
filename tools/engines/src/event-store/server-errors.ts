import code from '@eventstore/db-client/generated/code_pb.js'
import { Metadata, type ServiceError, status } from '@grpc/grpc-js'

/** The version of the server that gave the answers in the table. */
export const serverVersion = '23.10.5'

type Row = {
  readonly code: status
  /** `{name}` stands for the trailer of that name, or for another value. */
  readonly text: string
  /** The trailer `exception`, by which the client chooses the class of its error. */
  readonly exception?: string
  /** Trailers beside `exception`. */
  readonly trailers?: readonly string[]
  /**
   * 'seen': this version answered with this code, text and trailers. 'seen in part': it answered with this code, and the rest is from
   * the server's source. 'source': all of it is from the server's source. 'own': the stand-in's own text, for a failure without an answer of the server.
   */
  readonly basis: 'seen' | 'seen in part' | 'source' | 'own'
}

const rows = {
  /** A wrong password, or none. Without `exception`. */
  unauthenticated: { code: status.UNAUTHENTICATED, text: 'Unauthenticated', basis: 'seen in part' },
  accessDenied: {
    code: status.PERMISSION_DENIED,
    text: 'Access Denied',
    exception: 'access-denied',
    basis: 'seen in part',
  },
  /** A read of `$all` from a position inside a record. */
  invalidPosition: { code: status.UNKNOWN, text: 'Unexpected ReadAllResult: Error', basis: 'seen' },
  /** The same for a filtered read or subscription. */
  invalidFilteredPosition: { code: status.UNKNOWN, text: 'Unexpected FilteredReadAllResult: Error', basis: 'source' },
  /** After 2 s, for a repetition of events whose first append is not indexed yet. */
  timedOut: { code: status.ABORTED, text: 'Operation timed out: Commit phase timeout', basis: 'seen' },
  /** A node that starts, or a cluster without a leader. */
  notReady: { code: status.UNAVAILABLE, text: 'Server Is Not Ready', basis: 'seen' },
  /** A node that knows another leader. */
  notLeader: {
    code: status.NOT_FOUND,
    text: 'Leader info available',
    exception: 'not-leader',
    trailers: ['leader-endpoint-host', 'leader-endpoint-port'],
    basis: 'seen in part',
  },
  streamDeleted: {
    code: status.FAILED_PRECONDITION,
    text: "Event stream '{stream-name}' is deleted.",
    exception: 'stream-deleted',
    trailers: ['stream-name'],
    basis: 'source',
  },
  /** The client's appends get a response instead. */
  wrongExpectedVersion: {
    code: status.FAILED_PRECONDITION,
    text: '{operation} failed due to WrongExpectedVersion. Stream: {stream-name}, Expected version: {expected-version}, Actual version: {actual-version}',
    exception: 'wrong-expected-version',
    trailers: ['stream-name', 'expected-version', 'actual-version'],
    basis: 'source',
  },
  appendTooLarge: {
    code: status.INVALID_ARGUMENT,
    text: 'Maximum Append Size of {maximum-append-size} Exceeded.',
    exception: 'maximum-append-size-exceeded',
    trailers: ['maximum-append-size'],
    basis: 'source',
  },
  /** The answer of an append is lost: the client itself reports a closed connection so. */
  answerLost: { code: status.UNAVAILABLE, text: 'Connection dropped', basis: 'own' },
  /** What the server says on a full disk is not known. */
  failed: { code: status.UNKNOWN, text: '{reason}', basis: 'own' },
} as const satisfies Readonly<Record<string, Row>>

export type ServerErrorName = keyof typeof rows

/** All errors that the adapter distinguishes, as the server answers them. */
export const serverErrorRows: Readonly<Record<ServerErrorName, Row>> = rows

export const serverError = (name: ServerErrorName, values: Readonly<Record<string, string>> = {}): ServiceError => {
  const { code: grpcCode, text, exception, trailers = [] } = serverErrorRows[name]
  const metadata = new Metadata()
  if (exception !== undefined) metadata.set('exception', exception)
  for (const trailer of trailers) metadata.set(trailer, values[trailer] ?? '')
  const details = text.replaceAll(/\{([\w-]+)\}/g, (_, value: string) => values[value] ?? '')
  return Object.assign(new Error(details), { code: grpcCode, details, metadata })
}

/** The statuses in the responses of a batch append, from the server's source. The message is also the name of the details' type. */
export const batchErrors = {
  streamDeleted: { code: code.Code.NOT_FOUND, message: 'StreamDeleted' },
  wrongExpectedVersion: { code: code.Code.ALREADY_EXISTS, message: 'WrongExpectedVersion' },
  appendTooLarge: { code: code.Code.INVALID_ARGUMENT, message: 'MaximumAppendSizeExceeded' },
  timedOut: { code: code.Code.DEADLINE_EXCEEDED, message: 'Timeout' },
} as const
