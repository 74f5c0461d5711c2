/** The program is older than the tables. The message, in English and Chinese, is for the person who starts it. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError'

  /**
   * `change`: a recorded change that this program does not know. `lastVersion`: the last version that started on these
   * data, if known.
   */
  constructor(store: 'PostgreSQL' | 'ClickHouse', change: string, lastVersion: string | undefined) {
    const [by, byZh] =
      lastVersion === undefined
        ? ['', '']
        : [`; last started with version ${lastVersion}`, `；最后启动的版本 ${lastVersion}`]
    super(
      `the tables of ${store} are newer than this program (${change}${by}); nothing was changed. Start the newer program again. ` +
        'To go back, restore the backup made before the upgrade into an empty data folder or empty databases\n' +
        `${store} 的表结构比本程序新（${change}${byZh}），未作任何改动。请启动较新的程序；要回退，请把升级前的备份恢复到空的数据目录或空的数据库`,
    )
  }
}

/** Throws NewerSchemaError if a recorded change is not among the known ones. */
export function refuseNewer(
  store: 'PostgreSQL' | 'ClickHouse',
  recorded: Iterable<string>,
  known: ReadonlySet<string>,
  lastVersion: string | undefined,
): void {
  for (const change of recorded)
    if (!known.has(change)) throw new NewerSchemaError(store, change, lastVersion)
}
