import type { RegistryFile, RegistryNode, RegistryPipe } from '@isotherm/contract/registry-file'
import { sql, type Transaction } from 'kysely'
import type { Tables } from '../../../platform/tables.ts'
import type { ImportedStructure } from './import-structure.pg.ts'
import { RegistryFileError } from './registry-file-error.ts'

/** Pipes with the numbers of the nodes at their ends. Throws RegistryFileError for ends that are none, and for a pair that stands twice. */
function toRows({ nodeIds }: ImportedStructure, pipes: readonly RegistryPipe[]) {
  const pairs = new Set<string>()
  return pipes.map(({ from, to, ...record }) => {
    const [fromId, toId] = [nodeIds.get(from), nodeIds.get(to)]
    const pair = [from, to].toSorted().join('\n')
    if (fromId === undefined || toId === undefined || from === to || pairs.has(pair))
      throw new RegistryFileError(
        `a pipe from ${from} to ${to}: it joins two nodes of the file, and stands once`,
      )
    pairs.add(pair)
    return { fromId, toId, ...record }
  })
}

/** Records pipes between nodes where nobody has recorded, or removed, any. */
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

/** Says what heats the rooms below nodes of which nothing is said. */
async function saveEmitters(
  db: Transaction<Tables>,
  { nodeIds }: ImportedStructure,
  nodes: readonly RegistryNode[],
): Promise<void> {
  const said = nodes.flatMap(({ key, emitter }) => (emitter ? [{ id: nodeIds.get(key), emitter }] : []))
  if (said.length === 0) return
  await sql`
    update node set emitter = given.emitter
    from json_to_recordset(${JSON.stringify(said)}::json) as given (id bigint, emitter text)
    where node.id = given.id and node.emitter is null`.execute(db)
}

/** Stores what a registry file says of pipes and emitters; what people said of them is theirs to keep. Throws RegistryFileError. */
export async function saveArchive(
  db: Transaction<Tables>,
  structure: ImportedStructure,
  { nodes, pipes }: RegistryFile,
): Promise<void> {
  if (pipes && pipes.length > 0) await savePipes(db, structure, pipes)
  await saveEmitters(db, structure, nodes)
}
