/**
 * All PostgreSQL tables by name. Each module adds its own tables, so that the platform does not depend on
 * modules: `declare module '../../platform/tables.ts' { interface Tables { node: NodeTable } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the modules fill it by declaration merging.
export interface Tables {}
