// SPDX-License-Identifier: Apache-2.0
package io.thalweg.checks;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The compiled classes of all modules, read once. */
final class ProjectClasses {

    static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("jmh_generated"))
            .withImportOption(location -> !location.contains("/lab/jcstress/")) // all of it is tests
            .importPaths(folders("classes"));

    static final JavaClasses TESTS = new ClassFileImporter().importPaths(folders("test-classes"));

    private ProjectClasses() {}

    /** Read from where the build puts them: tests, and the lab's drivers, are on no other module's class path. */
    private static List<Path> folders(String kind) {
        return Repository.modules().stream()
                .map(module -> module.resolve("target").resolve(kind))
                .filter(Files::isDirectory)
                .toList();
    }
}
