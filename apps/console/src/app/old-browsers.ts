// Functions that Chromium 108 and 109 lack. The build fails if the console uses a further one (check-browsers.ts).
import 'core-js/modules/es.array.to-reversed.js'
import 'core-js/modules/es.array.to-sorted.js'
import 'core-js/modules/es.array.with.js'
import 'core-js/modules/es.typed-array.to-reversed.js'
import 'core-js/modules/es.typed-array.to-sorted.js'
import 'core-js/modules/es.typed-array.with.js'
import 'core-js/modules/web.url.can-parse.js'
