import type { RegistryFile, RegistryNode, RegistryPipe } from '@isotherm/contract/network/registry-file'
import { sql, type Transaction } from 'kysely'
import type { Tables } from '../../../platform/tables.ts'
import { RegistryFileError } from './registry-file-error.ts'

export interface ImportedStructure {
  readonly companyId: number
  /** Id of each node by its key in the file. */
  readonly nodeIds: ReadonlyMap<string, number>
}

/** Adds the node ids of both ends to pipes. Throws RegistryFileError for an unknown end or a pair that occurs twice. */
function toRows({ nodeIds }: ImportedStructure, pipes: readonly RegistryPipe[]) {
  const pairs = new Set<string>()
  return pipes.map(({ from, to, ...record }) => {
    const [fromId, toId] = [nodeIds.get(from), nodeIds.get(to)]
    const pair = [from, to].toSorted().join('\n')
    if (fromId === undefined || toId === undefined || from === to || pairs.has(pair))
      throw new RegistryFileError(
        `a pipe from ${from} to ${to}: it must connect two nodes of the file and occur once`,
      )
    pairs.add(pair)
    return { fromId, toId, ...record }
  })
}

/** Saves pipes between nodes, except where a user has saved or removed one before. */
async function savePipes(
  db: Transaction<Tables>,
  structure: ImportedStructure,
  pipes: readonly RegistryPipe[],
): Promise<void> {
  const given = toRows(structure, pipes)
  await sql`
    insert into pipe (company_id, from_node_id, to_node_id, length_m, inner_diameter_mm, material, roughness_mm, laid_year)
    select ${structure.companyId}::bigint, "fromId", "toId", "lengthM", "innerDiameterMm", material, "roughnessMm", "laidYear"
    from json_to_recordset(${JSON.stringify(given)}::json) as given ("fromId" bigint, "toId" bigint, "lengthM" float8,
      "innerDiameterMm" float8, material text, "roughnessMm" float8, "laidYear" smallint)
    where not exists (
        select from pipe where least(from_node_id, to_node_id) = least("fromId", "toId")
          and greatest(from_node_id, to_node_id) = greatest("fromId", "toId"))
      and not exists (
        select from ended_pipe where least_node_id = least("fromId", "toId")
          and greatest_node_id = greatest("fromId", "toId"))`.execute(db)
}

/** Saves the emitters of nodes that have none. */
async function saveEmitters(
  db: Transaction<Tables>,
  { nodeIds }: ImportedStructure,
  nodes: readonly RegistryNode[],
): Promise<void> {
  const given = nodes.flatMap(({ key, emitter }) => (emitter ? [{ id: nodeIds.get(key), emitter }] : []))
  if (given.length === 0) return
  await sql`
    update node set emitter = given.emitter
    from json_to_recordset(${JSON.stringify(given)}::json) as given (id bigint, emitter text)
    where node.id = given.id and node.emitter is null`.execute(db)
}

/** Saves the pipes and emitters of a registry file. Values that users entered stay unchanged. Throws RegistryFileError. */
export async function saveAttributes(
  db: Transaction<Tables>,
  structure: ImportedStructure,
  { nodes, pipes }: RegistryFile,
): Promise<void> {
  if (pipes && pipes.length > 0) await savePipes(db, structure, pipes)
  await saveEmitters(db, structure, nodes)
}
