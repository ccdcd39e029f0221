// SPDX-License-Identifier: Apache-2.0
package io.thalweg.job;

import java.util.List;

/** What the compiler made of a job, and of which sources. */
record CompiledJob(List<Source> sources, List<ClassFile> classes) {
    CompiledJob {
        sources = List.copyOf(sources);
        classes = List.copyOf(classes);
    }

    /** A file that the compiler read, as it stood then. */
    record Source(String path, byte[] bytes) {}

    /**
     * @param name the binary name
     * @param ofJob true if it stands in the job's own file, false if in another one of the folder
     */
    record ClassFile(String name, boolean ofJob, byte[] bytes) {}
}
