/** Runs in each page, before its scripts. Takes away what an old browser lacks: `lackingApis`. */
const membersFirst = [...lackingApis.filter(({ member }) => member), ...lackingApis.filter(({ member }) => !member)]
for (const { owner, member, isStatic } of membersFirst) {
  const holder = globalThis[owner]
  const holders = isStatic === undefined ? [holder, holder?.prototype] : [isStatic ? holder : holder?.prototype]
  for (const one of member === undefined ? [globalThis, Window.prototype] : holders)
    if (one) Reflect.deleteProperty(one, member ?? owner)
}
