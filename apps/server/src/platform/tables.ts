/**
 * Every table of PostgreSQL by name. A module adds its own beside its store, so that nothing here knows
 * the modules: `declare module '../../platform/tables.ts' { interface Tables { node: NodeTable } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the modules fill it by declaration merging.
export interface Tables {}
