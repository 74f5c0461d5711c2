import { reloadAccess } from '../../../shared/session/access-reload.ts'

/** The menu of this user follows a change of the modules at once. */
export async function changeModules<Result>(changing: Promise<Result>): Promise<Result> {
  const result = await changing
  await reloadAccess()
  return result
}
