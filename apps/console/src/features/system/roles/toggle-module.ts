import type { ManagedModule } from '@isotherm/contract/endpoints/administration/modules'

type Module = Pick<ManagedModule, 'id' | 'parentId'>

/**
 * The chosen modules after a click on one of them. A page is shown only if its group is chosen. So adding a page adds
 * its group, adding or removing a group does the same with its pages, and removing the last page removes its group.
 * `mayGive`: modules that the user may add.
 */
export function toggleModule(
  modules: readonly Module[],
  chosen: ReadonlySet<number>,
  {
    id,
    isOn,
    mayGive,
  }: { readonly id: number; readonly isOn: boolean; readonly mayGive: (id: number) => boolean },
): ReadonlySet<number> {
  const next = new Set(chosen)
  const parentId = modules.find((module) => module.id === id)?.parentId ?? null
  const pages = modules.filter((module) => module.parentId === id).map((module) => module.id)
  if (isOn) {
    for (const each of [id, ...pages, ...(parentId === null ? [] : [parentId])])
      if (mayGive(each)) next.add(each)
    return next
  }
  for (const each of [id, ...pages]) next.delete(each)
  const isLast = !modules.some((module) => module.parentId === parentId && next.has(module.id))
  if (parentId !== null && isLast) next.delete(parentId)
  return next
}
