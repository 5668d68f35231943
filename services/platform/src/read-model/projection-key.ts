/** A projection as other parts of the portal know it. */
export type ProjectionRef = {
  readonly name: string
  /** Of what it makes of the log: raised with every change of its documents. 1 where absent. */
  readonly version?: number
}

const versionSuffix = /\.v\d+$/

/**
 * What names one version of a projection: in the generations, the namespaces, the consumers and the bus groups. Two releases with
 * different versions side by side write a generation each. Version 1 is the bare name, as recorded before there were versions.
 */
export const projectionKey = ({ name, version = 1 }: ProjectionRef): string =>
  version === 1 ? name : `${name}.v${version}`

export const isFirstVersion = (key: string): boolean => !versionSuffix.test(key)

/** The projection's name, by which commands know it. */
export const projectionNameOf = (key: string): string => key.replace(versionSuffix, '')
