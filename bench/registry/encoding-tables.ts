/** Nodes of the queries, by id. */
export interface Places {
  /** Two companies of about 100,000 nodes each, and an area of the first with about 25,000. */
  readonly company: number
  readonly otherCompany: number
  readonly area: number
  readonly residentialArea: number
  readonly household: number
}

export interface TreeQueries {
  readonly children: string
  /** Ids of all nodes of the company. */
  readonly subtree: string
  readonly ancestors: string
  /** How many of 1,000 nodes are below one of two granted areas. */
  readonly scope: string
}

export interface Move {
  readonly area: number
  readonly from: number
  readonly to: number
}

/** A way to store a tree. */
export interface Encoding {
  readonly name: string
  /** An extension of PostgreSQL. */
  readonly needs?: string
  readonly tables: readonly string[]
  readonly make: string
  queries(places: Places): TreeQueries
  move(move: Move): string
}

/** Number of children per parent: areas of a company, stations, residential areas, buildings, units, households. */
export const CHILDREN_PER_LEVEL = [4, 5, 2, 25, 4, 24] as const

/** Tables that every encoding needs: parent and level of each node, and 1,000 sample nodes for the queries. */
export const shared = (companies: number): string => `
  create table adjacency (id bigint primary key, parent_id bigint references adjacency, level smallint not null);
  insert into adjacency values (1, null, 1);
  ${[companies, ...CHILDREN_PER_LEVEL]
    .map(
      (fan, index) => `
        insert into adjacency
        select (select max(id) from adjacency) + row_number() over (), id, ${index + 2}
        from adjacency cross join generate_series(1, ${fan}) where level = ${index + 1};`,
    )
    .join('')}
  create index adjacency_parent on adjacency (parent_id);
  create table sample_node as select id from adjacency where id % (select count(*) / 1000 from adjacency) = 0;`

const below = (ids: string): string => `
  with recursive below as (
    select id from adjacency where id in (${ids})
    union all select child.id from adjacency child join below on child.parent_id = below.id)`

const children = (table: string, { residentialArea }: Places): string =>
  `select id from ${table} where parent_id = ${residentialArea}`

const adjacency: Encoding = {
  name: 'parents with a recursive query',
  tables: ['adjacency'],
  make: 'select',
  queries: (places) => ({
    children: children('adjacency', places),
    subtree: `${below(`${places.company}`)} select count(id), sum(id) from below`,
    ancestors: `with recursive above as (
        select id, parent_id from adjacency where id = ${places.household}
        union all select parent.id, parent.parent_id from adjacency parent join above on above.parent_id = parent.id)
      select id from above`,
    scope: `with recursive above as (
        select id as of, id, parent_id from adjacency where id = any(array(select id from sample_node))
        union all select above.of, parent.id, parent.parent_id
          from adjacency parent join above on above.parent_id = parent.id)
      select count(distinct of) from above where id in (${places.area}, ${places.area - 1})`,
  }),
  move: ({ area, to }) => `update adjacency set parent_id = ${to} where id = ${area}`,
}

const pathOf = (id: number): string => `(select path from paths where id = ${id})`
const inSubtree = (id: number): string => `path >= ${pathOf(id)} and path < rtrim(${pathOf(id)}, '/') || '0'`

const paths: Encoding = {
  name: 'paths as text',
  tables: ['paths'],
  make: `
    create table paths (id bigint primary key, parent_id bigint references paths, level smallint not null,
      path text collate "C" not null unique);
    with recursive placed as (
      select id, parent_id, level, '/' || id || '/' as path from adjacency where parent_id is null
      union all select child.id, child.parent_id, child.level, placed.path || child.id || '/'
        from adjacency child join placed on child.parent_id = placed.id)
    insert into paths select * from placed;
    create index paths_parent on paths (parent_id)`,
  queries: (places) => ({
    children: children('paths', places),
    subtree: `select count(id), sum(id) from paths where ${inSubtree(places.company)}`,
    ancestors: `select string_to_array(trim(both '/' from path), '/')::bigint[] from paths
      where id = ${places.household}`,
    scope: `select count(*) from paths
      where id = any(array(select id from sample_node)) and path like any(array[${pathOf(places.area)} || '%', ${pathOf(places.area - 1)} || '%'])`,
  }),
  move: ({ area, to }) => `
    update paths set path = ${pathOf(to)} || substr(path, (select position('/${area}/' in path) from paths where id = ${area}) + 1)
      where ${inSubtree(area)};
    update paths set parent_id = ${to} where id = ${area}`,
}

const ltreeOf = (id: number): string => `(select path from labels where id = ${id})`

const labels: Encoding = {
  name: 'ltree',
  needs: 'ltree',
  tables: ['labels'],
  make: `
    create extension ltree;
    create table labels (id bigint primary key, parent_id bigint references labels, level smallint not null,
      path ltree not null unique);
    insert into labels select id, parent_id, level, replace(trim(both '/' from path), '/', '.')::ltree from paths;
    create index labels_parent on labels (parent_id);
    create index labels_path on labels using gist (path)`,
  queries: (places) => ({
    children: children('labels', places),
    subtree: `select count(id), sum(id) from labels where path <@ ${ltreeOf(places.company)}`,
    ancestors: `select path from labels where id = ${places.household}`,
    scope: `select count(*) from labels
      where id = any(array(select id from sample_node)) and path <@ array[${ltreeOf(places.area)}, ${ltreeOf(places.area - 1)}]`,
  }),
  move: ({ area, to }) => `
    update labels set path = ${ltreeOf(to)} || subpath(path, 2) where path <@ ${ltreeOf(area)};
    update labels set parent_id = ${to} where id = ${area}`,
}

const closure: Encoding = {
  name: 'closure table',
  tables: ['adjacency', 'closure'],
  make: `
    create table closure (ancestor bigint not null, descendant bigint not null, depth smallint not null,
      primary key (ancestor, descendant));
    with recursive pairs as (
      select id as ancestor, id as descendant, 0 as depth from adjacency
      union all select pairs.ancestor, child.id, depth + 1
        from pairs join adjacency child on child.parent_id = pairs.descendant)
    insert into closure select * from pairs;
    create index closure_descendant on closure (descendant)`,
  queries: (places) => ({
    children: children('adjacency', places),
    subtree: `select count(descendant), sum(descendant) from closure where ancestor = ${places.company}`,
    ancestors: `select ancestor from closure where descendant = ${places.household}`,
    scope: `select count(distinct descendant) from closure
      where descendant = any(array(select id from sample_node)) and ancestor in (${places.area}, ${places.area - 1})`,
  }),
  move: ({ area, from, to }) => `
    delete from closure using closure moved
      where moved.ancestor = ${area} and closure.descendant = moved.descendant
        and closure.ancestor in (select ancestor from closure where descendant = ${from});
    insert into closure
      select above.ancestor, moved.descendant, above.depth + moved.depth + 1
      from closure above cross join closure moved
      where above.descendant = ${to} and moved.ancestor = ${area};
    update adjacency set parent_id = ${to} where id = ${area}`,
}

export const encodings: readonly Encoding[] = [paths, labels, closure, adjacency]
