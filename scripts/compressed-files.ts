// Writes each text file of the built app a second time, compressed by Brotli and gzip, so that the server sends it small
// without compressing anything itself: at a quality that would be too slow to do for each answer.

import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const TEXT = /\.(js|css|html|svg|json|wasm)$/;
/** Smaller files fit one packet as they are. */
const LEAST_BYTES = 1024;

export function compressedFiles(): Plugin {
  return {
    name: "compressed-files",
    apply: "build",
    generateBundle: {
      order: "post",
      async handler(_options, bundle) {
        const files = Object.values(bundle).filter(
          ({ fileName }) => TEXT.test(fileName) && fileName !== "index.html",
        );
        const compress = async (file: (typeof files)[number]) => {
          const content = Buffer.from(file.type === "chunk" ? file.code : file.source);
          if (content.length < LEAST_BYTES) return;
          const [brotli, zipped] = await Promise.all([
            promisify(brotliCompress)(content, {
              params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
            }),
            promisify(gzip)(content, { level: 9 }),
          ]);
          this.emitFile({ type: "asset", fileName: `${file.fileName}.br`, source: brotli });
          this.emitFile({ type: "asset", fileName: `${file.fileName}.gz`, source: zipped });
        };
        await Promise.all(files.map(compress));
      },
    },
  };
}
