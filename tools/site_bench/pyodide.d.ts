/** What the worker uses of Pyodide (https://pyodide.org/en/stable/usage/api/js-api.html). */
declare module "*/pyodide.mjs" {
  interface Python {
    unpackArchive(archive: ArrayBuffer, format: "zip", options: { extractDir: string }): void;
    runPython(code: string): unknown;
    /** A Python module; its classes are called as functions. */
    pyimport(module: string): any;
  }
  export function loadPyodide(options: { indexURL: string }): Promise<Python>;
}
